import type { PendingDecision, ReviewDecision } from '#shared/domain/manage/review.ts'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { useWords } from './use-words.ts'

const ACTIONS = [
  'approve',
  'delete',
  'restore',
  'ban',
  'unban',
  'reopen',
  'other',
] as const satisfies readonly ReviewDecision['action'][]

/** Why a decision was not applied: who was first, or the refusal of the server. */
export function useRefusedText(): (decision: PendingDecision) => string {
  const t = useTexts('review')
  const errorText = useErrorText()
  const words = useWords()
  return ({ reason }) => {
    const { by, at, action } = reason?.params ?? {}
    if (reason?.code === 'review/decided' && typeof by === 'string' && typeof at === 'number') {
      const what = ACTIONS.find((each) => each === action) ?? 'other'
      return t(`refused.by.${what}`, { name: by, time: words.clock(at) })
    }
    return t('refused.why', { reason: errorText(reason ?? { code: 'outbox/refused' }) })
  }
}
