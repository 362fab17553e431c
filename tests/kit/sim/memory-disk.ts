import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** A simulated crash kills no machine, so nothing is lost by keeping its files in memory; waiting for a disk would be. */
export const MEMORY_DISK = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
