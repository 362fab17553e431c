import { app } from 'electron'
import { inProcess, isInProcess, partsOf } from '../in-process.ts'
import { startProgram } from '../processes.ts'
import { electronServerArgs, electronServerEnv } from './electron-server.ts'
import type { ServerHost } from './host.ts'

/** Servers are other processes of the same Electron. */
const host: ServerHost = {
  startServer: (folder, options) =>
    startProgram(process.execPath, electronServerArgs(folder, options), { ...process.env, ...electronServerEnv }),
}

/** Prints the figures of each part as a line of JSON. Returns the exit code. */
export async function measureHere(name: string, runs: number): Promise<number> {
  await app.whenReady()
  const log = (text: string): void => console.error(text)
  try {
    if (!isInProcess(name)) throw new Error(`Not a group that runs here: ${name}`)
    for await (const figures of partsOf(inProcess[name]({ runs, log, host }))) console.log(JSON.stringify(figures))
    return 0
  } catch (error) {
    log(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return 1
  }
}
