/**
 * The local server as a program, and its upkeep: see {@link USAGE}. Prints one line when it listens; logs go to
 * standard error. Started by hand, by `child_process.fork`, as a utility process, or in the app by `--server`. Ends with 0 when all went well, 1
 * when it could not be done, 2 when the arguments are wrong. The version guard comes first: better-sqlite3 crashes an
 * older Node without a message, so it is imported after it.
 */
import { extname, join } from 'node:path'
import {
  explain,
  readArguments,
  secretRefusal,
  USAGE,
  type ServerArguments,
} from '#main/server/command-line/arguments.ts'

const NEEDED_MAJOR = 24
const USAGE_ERROR = 2

const args = process.argv.slice(2)
/** What runs this program again, after the executable: the app says so where it runs it in its own process. */
const inApp = process.env['PARLOR_SERVER_PROGRAM']
const program = inApp === undefined ? [import.meta.filename] : (JSON.parse(inApp) as readonly string[])
// Children of another kind inherit the environment.
delete process.env['PARLOR_SERVER_PROGRAM']

let isServing = false

class Refused extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

try {
  if (Number(process.versions.node.split('.')[0]) < NEEDED_MAJOR) {
    throw new Refused(`Parlor needs Node ${NEEDED_MAJOR} or newer and found ${process.versions.node}.`)
  }
  // Files written here are readable by their owner only.
  process.umask(0o077)
  if (args.includes('--help')) process.stdout.write(`${USAGE}\n`)
  else await obey(readArguments(args))
  // The app would go on waiting for windows.
  if (inApp !== undefined && !isServing) process.exit(0)
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exit(error instanceof Refused ? error.exitCode : 1)
}

async function obey(given: ServerArguments | string): Promise<void> {
  const wrong = typeof given === 'string' ? given : secretRefusal(process.env['PARLOR_SECRET'])
  if (typeof given === 'string' || wrong !== undefined)
    throw new Refused(`${wrong} See npm run server -- --help.`, USAGE_ERROR)
  await (given.command === 'serve' ? serve(given) : runCommand(given))
}

async function serve(given: ServerArguments): Promise<void> {
  isServing = true
  const { runServer } = await import('#main/server/run.ts')
  const { systemClock } = await import('#main/lib/clock.ts')
  const { backUpInProcess } = await import('#main/server/command-line/backup-process.ts')
  const { systemIds } = await import('#main/lib/ids.ts')
  const { logFile } = await import('#main/lib/logger.ts')
  const openLog = (file: NonNullable<ServerArguments['logFile']>): ((line: string) => void) => {
    const write = logFile(file.path, file)
    // Later, lines that cannot be written are dropped; at the start somebody is there to mend it.
    if (!write(''))
      throw new Refused(`The Parlor server could not start. ${file.path} of --log-file cannot be written.`)
    return write
  }
  const { jsonLines } = await import('#main/lib/logger.ts')
  const { handleUncaughtErrors } = await import('#main/lib/logger.ts')
  const log = jsonLines(
    given.logFile ? openLog(given.logFile) : (line) => void process.stderr.write(line),
    given.logLevel,
    () => systemClock.now(),
  )
  handleUncaughtErrors(process, log)
  const running = await runServer({
    ...given,
    secret: process.env['PARLOR_SECRET'],
    // From here, because the source and the bundle of an entry are equally deep in the folders; a shared chunk is
    // deeper.
    resources: join(import.meta.dirname, '..', '..', 'resources'),
    picturesEntry: join(import.meta.dirname, `pictures${extname(import.meta.filename)}`),
    writeBackup: (file, signal) => backUpInProcess({ program, dataFolder: given.dataFolder }, file, signal),
    onSharing: () => void process.stdout.write('{"event":"sharing"}\n'),
    clock: systemClock,
    ids: systemIds,
    log,
  })
  // Before the line: whoever reads it may stop the server at once.
  stopWithParent(running.stop)
  const { url, apiKey, network } = running
  const line = JSON.stringify({ event: 'listening', url, apiKey, ...(network && { port: network.port }) })
  if (network?.certificateEndsAtMs() !== undefined) process.on('SIGHUP', () => network.reload())
  process.stdout.write(`${line}\n`)
  process.send?.(JSON.parse(line))
  parentPort()?.postMessage(JSON.parse(line))
}

async function runCommand(given: ServerArguments): Promise<void> {
  const { runServerCommand } = await import('#main/server/command-line/commands.ts')
  const { systemClock } = await import('#main/lib/clock.ts')
  const secret = process.env['PARLOR_SECRET']
  const order = process.env['PARLOR_MOVE']
  const output = await runServerCommand(given, { clock: systemClock, secret, order, out: process.stdout })
  if (output !== '') process.stdout.write(`${output}\n`)
}

type ParentPort = {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
}

/** Electron gives a utility process this instead of a channel. */
function parentPort(): ParentPort | undefined {
  return (process as unknown as { parentPort?: ParentPort }).parentPort
}

/** Stops on signals, when the forking parent has ended, and on the message `stop`. */
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

/** One line for people: the message of an unexpected error, never its stack. */
function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message
  const given = readArguments(args)
  return explain(error, typeof given === 'string' || given.command === 'serve')
}
