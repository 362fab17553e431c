import type { ReactionGroup } from '#shared/domain/reaction.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useMinute } from '../../lib/time/use-minute.ts'
import { useNames } from '../people/index.ts'

/** Who reacted, and the times of the first and the last reaction. */
export function useWhoText(group: ReactionGroup): { readonly who: string; readonly when: string } {
  const t = useTexts('messages')
  const formats = useFormats()
  const now = useMinute()
  const names = useNames(group.userIds)
  const others = group.count - names.length
  const first = formats.listTime(group.firstAt, now)
  const last = formats.listTime(group.lastAt, now)
  const who =
    names.length === 0
      ? t('reactions.count', { count: group.count })
      : others > 0
        ? t('reactions.andOthers', { names: names.join(', '), count: others })
        : formats.list(names)
  return { who, when: first === last ? last : t('reactions.between', { first, last }) }
}

/** Whether a user gave a score above 1, so that the sum differs from the count. */
export const isScored = ({ count, sumScores }: ReactionGroup): boolean => sumScores > count

/** The sum of the scores, and the viewer's part of it; `undefined` if every score is 1. */
export function useInAll(group: ReactionGroup): string | undefined {
  const t = useTexts('messages')
  const formats = useFormats()
  if (!isScored(group)) return undefined
  const sum = formats.number(group.sumScores)
  return group.own && group.ownScore !== undefined
    ? t('reactions.inAllOwn', { sum, own: group.ownScore })
    : t('reactions.inAll', { sum })
}
