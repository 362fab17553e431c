import type { ReactionGroup } from '#shared/domain/reaction.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useMinute } from '../../lib/time/use-minute.ts'
import { useNames } from '../people/index.ts'

/** Who reacted, and when the first and the last of them did. */
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

/** Someone gave more than one: the number of people says not all. */
export const isScored = ({ count, sumScores }: ReactionGroup): boolean => sumScores > count

/** How much was given together, and how much of it by the viewer; nothing where everyone gave one. */
export function useInAll(group: ReactionGroup): string | undefined {
  const t = useTexts('messages')
  const formats = useFormats()
  if (!isScored(group)) return undefined
  const sum = formats.number(group.sumScores)
  return group.own && group.ownScore !== undefined
    ? t('reactions.inAllOwn', { sum, own: group.ownScore })
    : t('reactions.inAll', { sum })
}
