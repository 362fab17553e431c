import { app } from 'electron'
import { inProcess, isInProcess, partsOf } from '../in-process.ts'
import { reportAccount } from '../engine/large-account.ts'
import { electronServerArgs, serverEnv, startProgram } from '../processes.ts'
import type { ServerHost } from './host.ts'

const log = (text: string): void => console.error(text)

/** Servers are other processes of the same Electron. */
const host: ServerHost = {
  startServer: (folder, options) =>
    startProgram(process.execPath, electronServerArgs(folder, options), { ...process.env, ...serverEnv }),
}

/**
 * Prints the figures of each part of a group as a line of JSON; of an `account`, what it needs with `count` channels.
 * Returns the exit code.
 */
export async function measureHere(name: string, count: number): Promise<number> {
  await app.whenReady()
  try {
    if (name === 'account') console.log(JSON.stringify(await reportAccount(count)))
    else await printGroup(name, count)
    return 0
  } catch (error) {
    log(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return 1
  }
}

async function printGroup(name: string, runs: number): Promise<void> {
  if (!isInProcess(name)) throw new Error(`Not a group that runs here: ${name}`)
  for await (const figures of partsOf(inProcess[name]({ runs, log, host }))) console.log(JSON.stringify(figures))
}
