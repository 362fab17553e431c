import { execFile } from 'node:child_process'
import type { CommandCapability } from '../host.ts'

const TIMEOUT_MS = 15_000
const MAX_OUTPUT_BYTES = 64 * 1024

/** Runs programs without a shell: arguments are passed as they are. */
export const nodeCommands: CommandCapability = {
  run: ([program = '', ...rest]) =>
    new Promise((resolve, reject) => {
      if (program === '') return reject(new Error('there is no such program'))
      const options = { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, windowsHide: true }
      execFile(program, rest, options, (error, output) => {
        // Its output may contain part of a token: it is never in the message.
        if (error) reject(new Error(reasonOf(error)))
        else resolve(output)
      }).stdin?.end()
    }),
}

function reasonOf(error: Error & { code?: unknown; killed?: boolean }): string {
  if (error.killed) return 'it took too long'
  if (error.code === 'ENOENT') return 'there is no such program'
  return `it ended with ${typeof error.code === 'number' || typeof error.code === 'string' ? error.code : 'an error'}`
}
