/** How messages are written to a file: for programs, or for people. */
export type ExportFormat = 'json' | 'text'

/** What a file of messages says of itself. */
export const EXPORT_KIND = 'parlor-messages'
export const EXPORT_VERSION = 1

/** Where a file was put, without its path: names alone. */
export type SavedFile = { readonly fileName: string; readonly folderName: string; readonly messages: number }
