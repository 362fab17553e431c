import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** A simulated crash does not stop the machine, so files in memory lose nothing; waiting for a disk would cost time. */
export const MEMORY_DISK = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
