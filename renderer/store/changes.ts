import { createAction } from '@reduxjs/toolkit'
import type { ChangeSet } from '#shared/domain/changes.ts'

/** Something changed in the engine. The only action that changes the replica of entities and windows. */
export const changesApplied = createAction<ChangeSet>('changes/applied')

/**
 * The window attached (again): what is held is replaced as a whole. Windows opened before are gone on the other side
 * too, so hooks open theirs again when the attach count rises.
 */
export const replicaAttached = createAction<ChangeSet>('changes/attached')
