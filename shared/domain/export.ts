/** How messages are written to a file: machine-readable, or as plain text. */
export type ExportFormat = 'json' | 'text'

/** The header of an exported file. */
export const EXPORT_KIND = 'parlor-messages'
export const EXPORT_VERSION = 1

/** Where a file was saved: names only, no path. */
/** `messages`: how many messages, or entries of a table, it has. */
export type SavedFile = { readonly fileName: string; readonly folderName: string; readonly messages: number }
