import { spawn } from 'node:child_process'

/** Waits for a process, at most ten seconds: its parent may never collect its exit code, and it stays listed. */
const WAIT = `
left=100
while kill -0 "$1" 2>/dev/null && [ "$left" -gt 0 ]; do
  sleep 0.1
  left=$((left - 1))
done
shift
exec "$@"`

/**
 * Linux: starts a program when a process has ended. Electron's own way (`app.relaunch`) forbids the next run to start
 * programs with other rights, as the one that asks for a password before an update is installed.
 */
export function startAfter(pid: number, program: string, args: readonly string[]): void {
  spawn('/bin/sh', ['-c', WAIT, 'sh', String(pid), program, ...args], { detached: true, stdio: 'ignore' }).unref()
}
