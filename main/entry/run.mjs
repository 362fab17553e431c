/**
 * Runs a TypeScript entry on the pinned Node. npm scripts may be started with any Node from 20 on; Parlor itself needs
 * 24, which npm installed beside it. Nothing here may import better-sqlite3: it crashes an older Node without a
 * message.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NEEDED_MAJOR = 24
const root = fileURLToPath(new URL('../..', import.meta.url))

function pinnedNode() {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) return process.execPath
  const system = process.platform === 'win32' ? 'win' : process.platform
  const file = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  const path = `${root}node_modules/node-${system}-${process.arch}/${file}`
  return existsSync(path) ? path : undefined
}

const node = pinnedNode()
if (!node) {
  console.error(
    existsSync(`${root}node_modules`)
      ? `Parlor needs Node ${NEEDED_MAJOR} and found ${process.versions.node}. Install Node ${NEEDED_MAJOR} or newer and try again.`
      : 'Parlor is not installed yet. Run "npm ci" first.',
  )
  process.exit(1)
}

const [entry, ...rest] = process.argv.slice(2)
// The server keeps little in memory: growth beyond this is a bug.
const heap = entry.endsWith('/server.ts') ? ['--max-old-space-size=512'] : []
const flags = ['--disable-warning=ExperimentalWarning', ...heap]
const child = spawn(node, [...flags, entry, ...rest], { cwd: root, stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
// npm passes a signal to its shell only: once that shell has ended, this ends too.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 300).unref()
}
child.on('exit', (code, signal) => {
  if (signal) process.exit(128 + (signal === 'SIGINT' ? 2 : 15))
  process.exit(code ?? 1)
})
