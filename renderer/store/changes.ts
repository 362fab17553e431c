import { createAction } from '@reduxjs/toolkit'
import type { ChangeSet } from '#shared/domain/changes.ts'

/** Changes from the engine. Besides `replicaAttached` the only action that changes the replica of entities and windows. */
export const changesApplied = createAction<ChangeSet>('changes/applied')

/**
 * The window attached (again): the replica is replaced as a whole. The engine has closed the windows opened before, so
 * hooks open theirs again when the attach count rises.
 */
export const replicaAttached = createAction<ChangeSet>('changes/attached')
