import { useMemo, useState } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { copyText } from '../actions/copy.ts'
import { highlight, languageName } from './highlight.ts'
import styles from './Markdown.module.css'

/** Long blocks fold after 18 lines. */
const MAX_LINES = 18

/** A block of code: language, copy, colours by shape. */
export function CodeBlock({ language, text }: { readonly language: string; readonly text: string }) {
  const t = useTexts('messages')
  const [whole, setWhole] = useState(false)
  const [copied, setCopied] = useState(false)
  const lines = useMemo(() => text.split('\n'), [text])
  const long = lines.length > MAX_LINES
  const shown = long && !whole ? lines.slice(0, MAX_LINES).join('\n') : text
  const runs = useMemo(() => highlight(shown, language), [shown, language])
  return (
    <figure className={styles['code']} aria-label={t('code.label', { count: lines.length })}>
      <figcaption>
        <span>{language === '' ? t('code.plain') : languageName(language)}</span>
        <IconButton
          icon={copied ? 'check' : 'copy'}
          size="small"
          iconSize={16}
          label={t(copied ? 'code.copied' : 'code.copy')}
          onClick={() => {
            copyText(text).then(
              () => setCopied(true),
              () => setCopied(false),
            )
          }}
        />
      </figcaption>
      {/* A scrolling box must be reachable by keyboard. */}
      <pre tabIndex={0} dir="ltr">
        <code>
          {runs.map((run, index) => (
            <span key={index} className={run.kind === 'plain' ? undefined : styles[run.kind]}>
              {run.text}
            </span>
          ))}
        </code>
      </pre>
      {long ? (
        <button type="button" className={styles['fold']} aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? t('text.less') : t('code.all', { count: lines.length })}
        </button>
      ) : null}
    </figure>
  )
}
