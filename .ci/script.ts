import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { readFlags, type FlagValues } from '../main/lib/flags.ts'

export const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string): string => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url))

type Outcome = { readonly code: number; readonly seconds: number }

/** Runs one of the project's tools to its end, with its output shown as it comes. */
export function run(
  tool: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const started = process.hrtime.bigint()
  const command = tool === 'node' ? process.execPath : bin(tool)
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        ...env,
        PATH: `${fileURLToPath(new URL('../node_modules/.bin', import.meta.url))}:${process.env['PATH']}`,
      },
      shell: process.platform === 'win32' && tool !== 'node',
    })
    child.on('error', reject)
    child.on('exit', (code) => resolve({ code: code ?? 1, seconds: Number(process.hrtime.bigint() - started) / 1e9 }))
  })
}

/**
 * The command line of a script. `--help` prints the help and ends the process; a wrong command line ends it with 2 and
 * one line that says what is wrong.
 */
export function scriptFlags<const F extends Parameters<typeof readFlags>[1]>(
  help: string,
  flags: F,
  takes: { readonly positionals?: number } = {},
): { readonly values: FlagValues<F>; readonly positionals: readonly string[] } {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    console.log(help)
    process.exit(0)
  }
  const given = readFlags(args, flags, takes)
  if (typeof given !== 'string') return given
  console.error(`${given} See --help.`)
  process.exit(2)
}
