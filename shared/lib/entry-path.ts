/** Control characters, and what Windows or the system keeps for itself. */
const FORBIDDEN = /[\p{Cc}\\:*?"<>|]/u

/** Whether the path of a file in a folder stays in it, on every system. */
export function isEntryPath(path: string): boolean {
  const parts = path.split('/')
  return (
    parts.length <= 12 && parts.every((part) => part !== '' && part !== '.' && part !== '..' && !FORBIDDEN.test(part))
  )
}
