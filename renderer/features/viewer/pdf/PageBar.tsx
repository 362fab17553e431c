import type { KeyboardEvent } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { useHost } from '../../../store/hooks.ts'
import { keysOf } from '../../../lib/text/chords.ts'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import type { Find } from './use-find.ts'
import styles from './Pdf.module.css'

type Props = {
  readonly page: number
  readonly total: number
  readonly onPage: (page: number) => void
  readonly find: Find
}

/** Page number, buttons for the previous and next page, and the search in the document. */
export function PageBar({ page, total, onPage, find }: Props) {
  const t = useTexts('messages')
  const { os } = useHost()
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') find.step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape' && find.query !== '') find.setQuery('')
    // The field handles letters and arrows; Escape in an empty field closes the viewer.
    else if (event.key === 'Escape' || event.key === 'Tab' || event.ctrlKey || event.metaKey) return
    else {
      event.stopPropagation()
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const searched = find.query.trim() !== '' && !find.busy
  return (
    <div className={styles['bar']}>
      <IconButton
        icon="chevron-up"
        size="small"
        label={t('pdf.previous')}
        aria-disabled={page === 1}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        icon="chevron-down"
        size="small"
        label={t('pdf.next')}
        aria-disabled={page === total}
        onClick={() => onPage(page + 1)}
      />
      <span className={styles['count']}>{t('pdf.page', { page, total })}</span>
      <input
        className={styles['find']}
        type="search"
        data-find=""
        aria-label={t('pdf.find')}
        aria-keyshortcuts="Control+F"
        placeholder={`${t('pdf.find')} (${keysOf('Mod+F', os).join(' ')})`}
        autoComplete="off"
        maxLength={200}
        value={find.query}
        onChange={(event) => find.setQuery(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span role="status" className={styles['count']}>
        {!searched
          ? ''
          : find.hits.length === 0
            ? t('pdf.nothing')
            : t('pdf.hits', { at: find.at, total: find.hits.length })}
      </span>
      {find.hits.length < 2 ? null : (
        <>
          <IconButton icon="chevron-left" size="small" label={t('pdf.previousHit')} onClick={() => find.step(-1)} />
          <IconButton icon="chevron-right" size="small" label={t('pdf.nextHit')} onClick={() => find.step(1)} />
        </>
      )}
    </div>
  )
}
