import type { Notice } from '#shared/domain/notification.ts'

type NoticeKind = Pick<Notice, 'code' | 'type' | 'severity'>

/**
 * The notices of the contract: the code names the text in `errors.json`, the type is the contract's. See docs/wire.md,
 * appendix C.
 */
export const NOTICES = {
  uploadFailed: { code: 'upload/failed', type: 'api:attachment:upload:failed', severity: 'error' },
  uploadBlocked: { code: 'upload/blocked', type: 'validation:attachment:upload:blocked', severity: 'error' },
  fileMissing: { code: 'upload/file-missing', type: 'validation:attachment:file:missing', severity: 'error' },
  idMissing: { code: 'upload/id-missing', type: 'validation:attachment:id:missing', severity: 'error' },
  uploadsInProgress: {
    code: 'composer/uploads-in-progress',
    type: 'validation:attachment:upload:in-progress',
    severity: 'warning',
  },
  draftFailed: { code: 'draft/get-failed', type: 'api:draft:get:failed', severity: 'error' },
  pollFailed: { code: 'poll/create-failed', type: 'api:poll:create:failed', severity: 'error' },
  locationFailed: { code: 'location/failed', type: 'api:location:create:failed', severity: 'error' },
  voteLimit: { code: 'poll/vote-limit', type: 'validation:poll:castVote:limit', severity: 'info' },
} as const satisfies Readonly<Record<string, NoticeKind>>
