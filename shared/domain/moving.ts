import type { SavedFile } from './export.ts'

/** What is being done with a workspace file: written, read back, or put in its place. In bytes. */
export type MoveProgress = {
  readonly step: 'writing' | 'checking' | 'placing'
  readonly done: number
  readonly total: number
}

/** A workspace that was saved to move it. `keys`: people who have joined stay signed in. */
export type SavedWorkspace = Pick<SavedFile, 'fileName' | 'folderName'> & { readonly keys: boolean }

/** A look into a workspace file, before anything is changed. */
export type WorkspaceFileLook = {
  /** Names it in the following calls. */
  readonly id: string
  readonly name: string
  readonly ownerName: string
  readonly savedAt: number
  readonly bytes: number
  /** People who have joined stay signed in. */
  readonly keys: boolean
  /** It was shared on a network, and its people can be told where it is now. */
  readonly shared: boolean
}
