/**
 * Downloads Electron for a checkout, as a separate program: `node download-electron.ts FOLDER`, where FOLDER is the
 * npm package `electron`. The progress is on standard error. Exits with 1 and one line on standard output when it
 * could not be downloaded; a proxy is read from the environment.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { downloadArtifact } from '@electron/get'
import { systemClock } from '#main/lib/clock.ts'

/** Without a first byte in this time there is no network to download from. */
const PROBE_TIMEOUT_MS = 4_000
/** Without any byte for this long the download has stopped. */
const STALL_MS = 30_000

const [packageFolder = ''] = process.argv.slice(2)
const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }

try {
  await download()
  install()
} catch (error) {
  console.log(reasonOf(error))
  process.exitCode = 1
}

/** Into the cache that the package's installer looks into; checked by the sums that come with the package. */
async function download(): Promise<void> {
  const { platform, arch, env } = process
  const stop = new AbortController()
  let stopTimer = systemClock.after(PROBE_TIMEOUT_MS, () => stop.abort())
  const report = progressLine()
  try {
    await downloadArtifact({
      version,
      artifactName: 'electron',
      platform,
      arch,
      cacheRoot: env['electron_config_cache'],
      checksums: env['electron_use_remote_checksums']
        ? undefined
        : (JSON.parse(readFileSync(join(packageFolder, 'checksums.json'), 'utf8')) as Record<string, string>),
      downloadOptions: {
        quiet: true,
        signal: stop.signal,
        getProgressCallback({ transferred, total }: { transferred: number; total: number | null }) {
          stopTimer()
          stopTimer = systemClock.after(STALL_MS, () => stop.abort())
          report(transferred, total)
          return Promise.resolve()
        },
      },
    })
  } finally {
    stopTimer()
  }
}

/** One line that is rewritten on a terminal; elsewhere a line for each quarter. */
function progressLine(): (transferred: number, total: number | null) => void {
  const isTerminal = process.stderr.isTTY
  let last = -1
  return (transferred, total) => {
    const percent = total === null || total === 0 ? undefined : Math.floor((transferred / total) * 100)
    const step =
      percent === undefined ? Math.floor(transferred / 10_000_000) : isTerminal ? percent : Math.floor(percent / 25)
    if (step === last) return
    last = step
    const size = total === null ? '' : ` of ${megabytes(total)}`
    const line = `Downloading Electron ${version}: ${megabytes(transferred)}${size}`
    process.stderr.write(isTerminal ? `\r${line}${percent === 100 ? '\n' : ''}` : `${line}\n`)
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`
}

/** The package's own installer unpacks what is in the cache now. */
function install(): void {
  const { status, stderr } = spawnSync(process.execPath, [join(packageFolder, 'install.js')], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'AbortError') return 'the server of the download does not respond'
  const { cause } = error
  const line = (cause instanceof Error && cause.message !== '' ? cause : error).message.split('\n')[0] ?? ''
  return line.replace(/^Error: /, '').replace(/\.$/, '')
}
