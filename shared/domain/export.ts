/**
 * How messages are written to a file (docs/export.md): a page for browsers, Markdown, a table for spreadsheets,
 * machine-readable, or plain text.
 */
export const EXPORT_FORMATS = ['html', 'markdown', 'csv', 'json', 'text'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Attachments in the export: none, those stored on this device, or all, loading what is missing. */
export const EXPORT_FILES = ['none', 'stored', 'all'] as const
export type ExportFiles = (typeof EXPORT_FILES)[number]

/** A period, epoch milliseconds: from `from` on, and before `until`. */
export type ExportSpan = { readonly from?: number; readonly until?: number }

/** Files of a period: how many, and their bytes as far as the messages name them. */
type FileTotal = { readonly count: number; readonly bytes: number }

/** What an export would have in it now. */
export type ExportPlan = {
  readonly messages: number
  /** On this device. */
  readonly stored: FileTotal
  /** Only on the server. */
  readonly missing: FileTotal
  /** Messages older than this are only partly on this device, or not at all. Absent: nothing is missing, or not known. */
  readonly missingBefore?: number
}

/** What an export is doing. `total` is absent while it is unknown. */
export type ExportProgress = {
  readonly step: 'older' | 'files' | 'messages'
  readonly done: number
  readonly total?: number
}

/** The header of an exported file. */
export const EXPORT_KIND = 'parlor-messages'
export const EXPORT_VERSION = 1

/** Where a file was saved: names only, no path. `messages`: how many messages, or entries of a table, it has. */
export type SavedFile = { readonly fileName: string; readonly folderName: string; readonly messages: number }

/** Files that are in it, and that were wanted and are not. */
export type SavedExport = SavedFile & { readonly files: number; readonly withoutFiles: number }

/** `from`, `to`: times of the oldest and the newest entry. `cut`: there are older ones that did not fit. */
export type SavedHistory = SavedFile & { readonly from?: number; readonly to?: number; readonly cut: boolean }
