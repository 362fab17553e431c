/** Result types of the contract, in one place so that call tables stay short. */
export type { ChangeSet } from '#shared/domain/changes.ts'
export type { Notice } from '#shared/domain/notice.ts'
export type { Upload } from '#shared/domain/attachment.ts'
export type { LeftWorkspace, LocalPerson } from '#shared/domain/session.ts'
