/**
 * The local server as a program: `npm run server -- --port N --data DIR --seed demo|none [--api-key KEY]`. Prints one
 * line when it listens; logs go to standard error. Started by hand, by `child_process.fork` or as a utility process.
 * The version guard comes first: better-sqlite3 crashes an older Node without a word, so it is imported after it.
 */
import { join } from 'node:path'
import { readArguments, USAGE, type ServerArguments } from '#main/server/arguments.ts'

const NEEDED_MAJOR = 24

class Refused extends Error {}

try {
  if (Number(process.versions.node.split('.')[0]) < NEEDED_MAJOR) {
    throw new Refused(`Parlor needs Node ${NEEDED_MAJOR} or newer and found ${process.versions.node}.`)
  }
  // Whatever is written here is for its owner only.
  process.umask(0o077)
  const words = process.argv.slice(2)
  if (words.includes('--help')) process.stdout.write(`${USAGE}\n`)
  else await obey(readArguments(words))
} catch (error) {
  process.stderr.write(`${await reasonOf(error)}\n`)
  process.exit(1)
}

async function obey(given: ServerArguments | string): Promise<void> {
  if (typeof given === 'string') throw new Refused(`${given} See npm run server -- --help.`)
  await (given.command === 'token' ? printToken(given) : serve(given))
}

async function serve(given: ServerArguments): Promise<void> {
  const { runServer } = await import('#main/server/run.ts')
  const { systemClock } = await import('#main/lib/clock.ts')
  const { systemIds } = await import('#main/lib/ids.ts')
  const { jsonLines } = await import('#main/lib/logger.ts')
  const log = jsonLines(
    (line) => void process.stderr.write(line),
    given.logLevel,
    () => systemClock.now(),
  )
  const running = await runServer({
    ...given,
    secret: process.env['PARLOR_SECRET'],
    // From here, because the source and the bundle of an entry lie equally deep; a shared chunk lies deeper.
    resources: join(import.meta.dirname, '..', '..', 'resources'),
    clock: systemClock,
    ids: systemIds,
    log,
  })
  const line = JSON.stringify({ event: 'listening', url: running.url, apiKey: running.apiKey })
  process.stdout.write(`${line}\n`)
  process.send?.(JSON.parse(line))
  parentPort()?.postMessage(JSON.parse(line))
  stopWithParent(running.stop)
}

async function printToken(given: ServerArguments): Promise<void> {
  const { tokenFor } = await import('#main/server/run.ts')
  process.stdout.write(`${tokenFor(given.dataFolder, given.userId ?? '', process.env['PARLOR_SECRET'])}\n`)
}

type ParentPort = {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
}

/** Electron gives a utility process this instead of a channel. */
function parentPort(): ParentPort | undefined {
  return (process as unknown as { parentPort?: ParentPort }).parentPort
}

/** Stops on signals, when a forking parent is gone, and on the message `stop`. */
function stopWithParent(stop: () => Promise<void>): void {
  let stopping = false
  const end = (): void => {
    if (stopping) return
    stopping = true
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  process.on('disconnect', end)
  process.on('message', (message) => message === 'stop' && end())
  parentPort()?.on('message', (event) => event.data === 'stop' && end())
}

/** One line for people. What was not foreseen keeps its message, never its stack. */
async function reasonOf(error: unknown): Promise<string> {
  if (error instanceof Refused) return error.message
  const { explainStart } = await import('#main/server/arguments.ts')
  return explainStart(error)
}
