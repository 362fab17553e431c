import type { BanEvent, ReviewedAuthor } from '#shared/domain/manage/review.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useWords } from './use-words.ts'
import styles from './Review.module.css'

type Line = { readonly key: string; readonly at: number; readonly what: string; readonly details: readonly string[] }

/** More would only be scrolled past. */
const SHOWN = 10
const DAY_S = 86_400
const HOUR_S = 3_600

/** What was decided about a person and their messages so far, the last thing first. */
export function Timeline({ author }: { readonly author: ReviewedAuthor }) {
  const t = useTexts('review')
  const words = useWords()
  const banLine = useBanLine()
  const { earlier, pastBans } = author
  const decisions = earlier
    // Bans are listed with what the history says about them.
    .filter(({ action }) => pastBans === undefined || (action !== 'ban' && action !== 'unban'))
    .map(({ action, at, byId, itemId }): Line => {
      const details = [words.day(at), ...(byId === undefined ? [] : [words.name(byId)])]
      return { key: `${itemId} ${at} ${action}`, at, what: t(`decisions.${action}`), details }
    })
  const bans = (pastBans ?? []).map((ban, index): Line => ({ ...banLine(ban), key: `ban ${index}`, at: ban.at }))
  const lines = [...decisions, ...bans].toSorted((a, b) => b.at - a.at).slice(0, SHOWN)
  return (
    <>
      <h2 className={styles['label']}>{t('author.earlier')}</h2>
      {lines.length === 0 ? <p className={styles['second']}>{t('author.noEarlier')}</p> : null}
      <ul className={styles['timeline']}>
        {lines.map(({ key, what, details }) => (
          <li key={key}>
            <bdi>{what}</bdi>
            <bdi className={styles['second']}>{details.join(' · ')}</bdi>
          </li>
        ))}
      </ul>
    </>
  )
}

/** What happened and where; below it when, by whom, for how long and why. */
function useBanLine(): (ban: BanEvent) => Pick<Line, 'what' | 'details'> {
  const t = useTexts('review')
  const words = useWords()
  const duration = (seconds: number): string =>
    seconds % DAY_S === 0
      ? t('bans.days', { count: seconds / DAY_S })
      : seconds % HOUR_S === 0
        ? t('bans.hours', { count: seconds / HOUR_S })
        : t('bans.minutes', { count: Math.round(seconds / 60) })
  return ({ what, at, byId, cid, channelName, reason, seconds, shadow }) => {
    const name = what === 'ban' && shadow ? 'shadow' : what
    return {
      what:
        cid === undefined
          ? t(`bans.${name}.everywhere`)
          : t(`bans.${name}.in`, { place: words.place({ cid, channelName, subject: 'message' }) }),
      details: [
        words.day(at),
        ...(byId === undefined ? [] : [words.name(byId)]),
        ...(seconds === undefined ? [] : [duration(seconds)]),
        ...(reason === undefined || reason === '' ? [] : [t('bans.reason', { reason: cleanName(reason) })]),
      ],
    }
  }
}
