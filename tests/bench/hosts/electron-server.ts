import { serverArgs, serverEnv } from '../processes.ts'
import type { ServerHost } from './host.ts'

type Options = Parameters<ServerHost['startServer']>[1]

/** The local server as a process of the app, without a screen. */
export const electronServerArgs = (folder: string, { port = 0, more = [] }: Options = {}): readonly string[] => [
  '--server',
  '--ozone-platform=headless',
  ...serverArgs(folder, port, more),
]
export const electronServerEnv = serverEnv
