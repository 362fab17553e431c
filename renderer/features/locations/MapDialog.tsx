import { useState } from 'react'
import type { Message, MessageLocation } from '#shared/domain/message.ts'
import { pointText } from '#shared/rules/places.ts'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/announce.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Portrait, useName } from '../people/index.ts'
import { MAX_SPAN } from './use-place-form.ts'
import { WorldMap } from './WorldMap.tsx'
import styles from './Location.module.css'

type Props = { readonly message: Message; readonly location: MessageLocation; readonly onClose: () => void }

/** The place large, with its coordinates to copy. */
export function MapDialog({ message, location, onClose }: Props) {
  const t = useTexts('locations')
  const name = useName(message.userId)
  const [span, setSpan] = useState(10)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(pointText(location))
      announce(t('card.copied'))
    } catch (reason) {
      announce(t('card.notCopied'))
      console.warn('coordinates not copied', reason)
    }
  }
  return (
    <Dialog
      title={t('card.named', { name })}
      width={720}
      onClose={onClose}
      hint={<span className={styles['coordinates']}>{pointText(location)}</span>}
      actions={
        <Button icon="copy" onClick={() => void copy()}>
          {t('card.copy')}
        </Button>
      }
    >
      <div className={styles['large']}>
        <WorldMap at={location} span={span} ratio={676 / 380}>
          <Portrait userId={message.userId} size={36} />
        </WorldMap>
        <div className={styles['tools']}>
          <IconButton icon="plus" label={t('closer')} onClick={() => setSpan(Math.max(0.4, span / 2))} />
          <IconButton icon="minus" label={t('farther')} onClick={() => setSpan(Math.min(MAX_SPAN, span * 2))} />
        </div>
      </div>
    </Dialog>
  )
}
