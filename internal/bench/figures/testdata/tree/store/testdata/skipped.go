package skipped: this is not read
