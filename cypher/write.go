package cypher

// The statements of the lane of write transactions, and the reads that find
// what there is to write.
const (
	WriteLeaseAcquire Statement = "write/lease_acquire"
	WriteLeaseRenew   Statement = "write/lease_renew"
	WriteLeaseRelease Statement = "write/lease_release"
	WriteFence        Statement = "write/fence"
)
