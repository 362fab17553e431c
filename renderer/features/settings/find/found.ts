import { createContext } from 'react'

/** The name of the row that was searched for, on the page that is shown. */
export const FoundRow = createContext<string | undefined>(undefined)

/** Brings the row into view and puts the focus on what can be pressed in it, else on the row. */
export function showFound(row: HTMLElement | null): void {
  if (row === null) return
  row.scrollIntoView({ block: 'center' })
  const control = row.querySelector<HTMLElement>('button:not([tabindex="-1"]), input, select')
  const target = control ?? row
  target.focus({ preventScroll: true })
}
