import { useEffect, useState } from 'react'
import type { KeywordCount as Count } from '#shared/domain/search.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { countKeywords } from '../commands.ts'
import styles from '../Settings.module.css'

/** Someone who types has not finished a word before this. */
const PAUSE_MS = 400
/** The bounds of what the settings keep; beyond them there is nothing to count. */
const MOST = 100

/** What words would do, by the messages that came last. */
export function KeywordCount({ words }: { readonly words: readonly string[] }) {
  const t = useTexts('notifications')
  const count = useCount(words)
  if (words.length === 0) return null
  return (
    <p role="status" className={styles['hint']}>
      {count === undefined || count.of === 0 ? null : t('page.keywordsCount', { count: count.matched, of: count.of })}
    </p>
  )
}

function useCount(words: readonly string[]): Count | undefined {
  const dispatch = useAppDispatch()
  const [known, setKnown] = useState<{ readonly key: string; readonly count: Count }>()
  const key = words.join('\n')
  useEffect(() => {
    const keywords = key.split('\n').filter((word) => word !== '' && word.length <= MOST)
    if (keywords.length === 0 || keywords.length > MOST) return undefined
    let isAsked = true
    const ask = async (): Promise<void> => {
      const answer = await dispatch(countKeywords({ keywords }))
      if (isAsked && answer.ok) setKnown({ key, count: answer.value })
    }
    const timer = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      isAsked = false
      clearTimeout(timer)
    }
  }, [dispatch, key])
  return known?.key === key ? known.count : undefined
}
