import type { SegmentKind } from '#shared/domain/manage/segments.ts'
import type { FilterProblem } from '#shared/rules/segments/check.ts'
import { FILTER_LIMITS } from '#shared/rules/segments/check.ts'
import { MAX_FILTER_TEXT } from '#shared/domain/manage/segments.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { TextArea } from '../../../ui/Field/TextField.tsx'
import type { Draft } from './drafts.ts'
import styles from './Segments.module.css'

type Props = {
  readonly kind: SegmentKind
  readonly draft: Draft
  readonly onText: (text: string) => void
}

/** The filter as the server takes it. What is no filter stays as it is typed, with what is wrong and where. */
export function JsonTab({ kind, draft, onText }: Props) {
  const t = useTexts('segments')
  const problemText = useProblemText()
  return (
    <div className={styles['json']}>
      <TextArea
        label={t('json.label')}
        dir="ltr"
        rows={16}
        spellCheck={false}
        autoComplete="off"
        maxLength={MAX_FILTER_TEXT}
        value={draft.text}
        hint={t(`json.hint.${kind}`)}
        error={draft.problem === undefined ? undefined : problemText(draft.problem)}
        onChange={onText}
      />
    </div>
  )
}

/** What is wrong with a text, in a sentence that begins with its line. */
function useProblemText(): (problem: FilterProblem) => string {
  const t = useTexts('segments')
  const formats = useFormats()
  return (problem) => {
    const values = {
      line: problem.line,
      name: 'name' in problem ? (problem.name ?? '') : '',
      field: 'field' in problem ? problem.field : '',
      instead: 'instead' in problem ? formats.list(problem.instead) : '',
      ...FILTER_LIMITS,
    }
    return t(`json.problems.${problem.code}`, values)
  }
}
