import { useEffect } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Portrait } from '../people/index.ts'
import type { Suggestion } from './use-suggestions.ts'
import styles from './SuggestionList.module.css'

type Props = {
  readonly id: string
  readonly suggestions: readonly Suggestion[]
  readonly active: Suggestion | undefined
  readonly onTake: (suggestion: Suggestion) => void
  readonly onHover: (suggestion: Suggestion) => void
}

const SETTLED_MS = 500

/** Values for the filter being typed, below the field. */
export function SuggestionList({ id, suggestions, active, onTake, onHover }: Props) {
  const t = useTexts('search')
  const count = suggestions.length
  useEffect(() => {
    const timer = setTimeout(() => announce(t('switcher.found', { count })), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [count, t])
  return (
    <div id={id} role="listbox" aria-label={t('suggestions')} className={styles['suggestions']}>
      {suggestions.map((one) => (
        <div
          key={one.id}
          id={`${id}-${one.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={one === active}
          className={styles['suggestion']}
          onPointerDown={(event) => event.preventDefault()}
          onPointerMove={() => onHover(one)}
          onClick={() => onTake(one)}
          onKeyDown={(event) => event.key === 'Enter' && onTake(one)}
        >
          {one.userId === undefined ? (
            <Icon name={one.icon ?? 'search'} size={17} />
          ) : (
            <Portrait userId={one.userId} size={20} />
          )}
          <span className="ellipsis">{one.label}</span>
          <bdi className={styles['source']}>{one.source}</bdi>
        </div>
      ))}
    </div>
  )
}
