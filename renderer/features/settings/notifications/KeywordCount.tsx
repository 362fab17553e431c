import { useEffect, useState } from 'react'
import type { KeywordCount as Count } from '#shared/domain/search.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { countKeywords } from '../commands.ts'
import styles from '../Settings.module.css'

/** The count is updated after this pause in typing. */
const PAUSE_MS = 400
/** Limit of the settings, for the number of keywords and the length of each. */
const MAX_KEYWORDS = 100

/** How many recent messages the keywords would match. */
export function KeywordCount({ keywords }: { readonly keywords: readonly string[] }) {
  const t = useTexts('notifications')
  const count = useCount(keywords)
  if (keywords.length === 0) return null
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
    const keywords = key.split('\n').filter((word) => word !== '' && word.length <= MAX_KEYWORDS)
    if (keywords.length === 0 || keywords.length > MAX_KEYWORDS) return undefined
    let isCurrent = true
    const ask = async (): Promise<void> => {
      const answer = await dispatch(countKeywords({ keywords }))
      if (isCurrent && answer.ok) setKnown({ key, count: answer.value })
    }
    const timer = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [dispatch, key])
  return known?.key === key ? known.count : undefined
}
