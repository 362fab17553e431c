import { useState } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useChoices } from './use-choices.ts'
import styles from './Notifications.module.css'

const LIMIT = 100

/** Words that make any message meant for the viewer, as one line with commas. */
export function Keywords() {
  const t = useTexts('notifications')
  const [{ keywords }, choose] = useChoices()
  const kept = keywords.join(', ')
  const [written, setWritten] = useState(kept)
  const [error, setError] = useState<string>()
  const words = [...new Set(written.split(',').map((word) => word.trim()))].filter((word) => word !== '')
  const isChanged = words.join(', ') !== kept
  const keep = (): void => {
    const tooLong = words.find((word) => word.length > LIMIT)
    if (tooLong !== undefined) return setError(t('page.keywordTooLong', { word: tooLong.slice(0, 20), count: LIMIT }))
    if (words.length > LIMIT) return setError(t('page.keywordsTooMany', { count: LIMIT }))
    choose({ keywords: words })
    setWritten(words.join(', '))
  }
  return (
    <form
      className={styles['keywords']}
      onSubmit={(event) => {
        event.preventDefault()
        keep()
      }}
    >
      <TextField
        label={t('page.keywords')}
        hint={t('page.keywordsHint')}
        value={written}
        error={error}
        onChange={(value) => {
          setWritten(value)
          setError(undefined)
        }}
      />
      <Button type="submit" disabled={!isChanged}>
        {t('page.keepKeywords')}
      </Button>
    </form>
  )
}
