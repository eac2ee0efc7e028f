package store

func Ignored() {}
