/** How messages are written to a file: machine-readable, or as plain text. */
export type ExportFormat = 'json' | 'text'

/** The header of an exported file. */
export const EXPORT_KIND = 'parlor-messages'
export const EXPORT_VERSION = 1

/** Where a file was saved: names only, no path. `messages`: how many messages, or entries of a table, it has. */
export type SavedFile = { readonly fileName: string; readonly folderName: string; readonly messages: number }

/** `from`, `to`: times of the oldest and the newest entry. `cut`: there are older ones that did not fit. */
export type SavedHistory = SavedFile & { readonly from?: number; readonly to?: number; readonly cut: boolean }
