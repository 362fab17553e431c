import type { ReactNode } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { CommaListForm } from '../controls/CommaListForm.tsx'
import { KeywordCount } from './KeywordCount.tsx'
import { useChoices } from './use-choices.ts'

const LIMIT = 100

const countOf = (keywords: readonly string[]): ReactNode => <KeywordCount keywords={keywords} />

/** Keywords that notify like a mention. */
export function Keywords() {
  const t = useTexts('notifications')
  const [{ keywords }, choose] = useChoices()
  const faultOf = (words: readonly string[]): string | undefined => {
    const tooLong = words.find((word) => word.length > LIMIT)
    if (tooLong !== undefined) return t('page.keywordTooLong', { word: tooLong.slice(0, 20), count: LIMIT })
    return words.length > LIMIT ? t('page.keywordsTooMany', { count: LIMIT }) : undefined
  }
  return (
    <CommaListForm
      key={keywords.join()}
      label={t('page.keywords')}
      hint={t('page.keywordsHint')}
      saveLabel={t('page.keepKeywords')}
      saved={keywords}
      faultOf={faultOf}
      onSave={(words) => choose({ keywords: words })}
      below={countOf}
    />
  )
}
