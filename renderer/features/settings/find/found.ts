import { createContext } from 'react'

/** Title of the row to highlight on the current page. */
export const FoundRow = createContext<string | undefined>(undefined)

/** Scrolls to the row and focuses its control, or the row itself. */
export function showFound(row: HTMLElement | null): void {
  if (row === null) return
  row.scrollIntoView({ block: 'center' })
  const control = row.querySelector<HTMLElement>('button:not([tabindex="-1"]), input, select')
  const target = control ?? row
  target.focus({ preventScroll: true })
}
