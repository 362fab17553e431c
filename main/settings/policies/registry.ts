import { isPolicyName, POLICIES } from './schema.ts'

const LINE = /^\s+(\S+)\s+(REG_\w+)\s*(.*)$/

/** Parses the output of `reg query KEY` into the types of the policies: a switch is 0 or 1 there. */
export function readRegistryOutput(output: string): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const text of output.split(/\r?\n/)) {
    const [, name, type, written] = LINE.exec(text) ?? []
    if (name !== undefined && type !== undefined) values[name] = valueOf(name, type, written ?? '')
  }
  return values
}

function valueOf(name: string, type: string, written: string): unknown {
  switch (type) {
    case 'REG_DWORD':
    case 'REG_QWORD': {
      const number = Number(written)
      const isSwitch = isPolicyName(name) && POLICIES[name].kind === 'switch'
      return isSwitch && (number === 0 || number === 1) ? number === 1 : number
    }
    case 'REG_MULTI_SZ':
      return written.split(String.raw`\0`).filter((part) => part !== '')
    default:
      return written
  }
}
