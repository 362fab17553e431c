import type { TextRange } from '#shared/domain/manage/rules.ts'
import styles from './Rules.module.css'

/** A text with the parts that match. */
export function Marked({ text, ranges }: { readonly text: string; readonly ranges: readonly TextRange[] }) {
  return (
    <bdi className={styles['marked']}>
      {ranges.map(({ start, end }, index) => (
        <span key={start}>
          {text.slice(ranges[index - 1]?.end ?? 0, start)}
          <mark>{text.slice(start, end)}</mark>
        </span>
      ))}
      {text.slice(ranges.at(-1)?.end ?? 0)}
    </bdi>
  )
}
