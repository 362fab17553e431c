/** A reason why a data folder cannot be opened. The message is shown to users and says what to do. */
export class StoreProblem extends Error {
  readonly kind: 'in-use' | 'too-new' | 'foreign' | 'damaged' | 'vanished' | 'replaced' | 'not-migrated'

  constructor(kind: StoreProblem['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreProblem'
    this.kind = kind
  }
}

/** Another process holds the data folder. */
export class FolderInUse extends StoreProblem {
  constructor() {
    super('in-use', 'The data folder is used by another Parlor server. Stop it first, or choose another folder.')
  }
}

/** The file was written by a newer Parlor. */
export class StoreTooNew extends StoreProblem {
  constructor() {
    super(
      'too-new',
      'The data folder was written by a newer Parlor, and nothing in it was changed. Use that version, or another folder.',
    )
  }
}

const HELP =
  'Nothing was changed. Put a backup in its place with "npm run server -- restore FILE --force", or keep what can still be read with "npm run server -- salvage"'

export const damaged = (cause?: unknown): StoreProblem =>
  new StoreProblem('damaged', `The data folder holds a damaged server.db. ${HELP}.`, cause)

export const foreign = (): StoreProblem =>
  new StoreProblem('foreign', 'server.db in the data folder is not a file of Parlor. Choose another folder.')

export const vanished = (): StoreProblem =>
  new StoreProblem(
    'vanished',
    'server.db is gone or empty, though this folder has held a workspace. Put it back, restore a backup with "npm run server -- restore FILE --force", or remove the file workspace-id to begin anew.',
  )

export const replaced = (): StoreProblem =>
  new StoreProblem(
    'replaced',
    'server.db belongs to another workspace than this folder. Put the right file back, or remove the file workspace-id to go on with this one.',
  )

export const notMigrated = (cause: unknown): StoreProblem =>
  new StoreProblem(
    'not-migrated',
    `server.db could not be brought to this version of Parlor. Nothing was changed: the older Parlor can still open it. (${cause instanceof Error ? cause.message : 'unknown reason'})`,
    cause,
  )
