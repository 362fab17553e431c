import type { NotifyRecord } from '#shared/domain/notification.ts'
import { useTexts } from '../../../i18n/index.ts'

/** The deciding rule as a sentence. */
export function useReason({ notifies, cause, steps, outcome }: NotifyRecord): string {
  const t = useTexts('notifications')
  const last = steps.at(-1)
  if (notifies || last === undefined) {
    const keyword = steps.find((step) => step.rule === 'cause')?.keyword ?? ''
    const why = t(`trail.causes.${cause ?? 'channel'}`, { keyword })
    return outcome === 'refused' ? t('trail.refused', { why }) : why
  }
  if (last.rule === 'level') return t(last.own ? `trail.ownLevels.${last.level}` : `trail.levels.${last.level}`)
  return last.rule === 'quiet' ? t(`trail.quiet.${last.by}`) : t(`trail.stops.${last.rule}`)
}
