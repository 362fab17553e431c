import { readFlags, type FlagValues } from '../main/lib/flags.ts'

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
