import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { writeCredential } from '#main/app/accounts/credential.ts'
import type { StartOptions } from './start-options.ts'

/** The user or the system ends Parlor with one of these. */
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Electron that ends with a failure this early never showed a window. */
const EARLY_MS = 2_500

/**
 * Runs the built app in Electron until it ends. Signals are passed on. The token is passed in the environment, because
 * every process of the machine can read an argument.
 *
 * @returns its exit code, and whether it failed too early to have shown a window
 */
export function runElectron(
  path: string,
  appFolder: string,
  dataFolder: string | undefined,
  options: StartOptions,
): Promise<{ code: number; early: boolean }> {
  const startedAt = performance.now()
  const { asUserId, demo, connect } = options.launch
  const args = [
    appFolder,
    ...(dataFolder === undefined ? [] : ['--data', dataFolder]),
    ...(asUserId === undefined ? [] : ['--as', asUserId]),
    ...(demo === true ? ['--demo'] : []),
    ...(connect ? ['--connect', connect.url, '--api-key', connect.apiKey] : []),
    ...(options.json ? ['--json'] : []),
    ...(options.inspect === undefined ? [] : [`--${options.inspect}`]),
  ]
  const child = spawn(path, args, {
    stdio: 'inherit',
    env: { ...process.env, ...(connect ? { PARLOR_TOKEN: writeCredential(connect.credential) } : {}) },
  })
  for (const signal of PASSED_ON) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    const end = (code: number): void => resolve({ code, early: code !== 0 && performance.now() - startedAt < EARLY_MS })
    child.once('error', () => end(127))
    child.once('exit', (code, signal) => end(codeOf(code, signal)))
  })
}

/** A crash is a signal too, for example Chromium's SIGTRAP when it refuses to start; shells report it as 128 and its number. */
function codeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (signal === null) return code ?? 1
  return PASSED_ON.some((passed) => passed === signal) ? 0 : 128 + constants.signals[signal]
}
