import { useState } from 'react'
import type { Message, MessageLocation } from '#shared/domain/message.ts'
import { distanceM, pointText, type Point } from '#shared/rules/places.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/announce.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Portrait, useName } from '../people/index.ts'
import { readPosition, type NoPosition, type Position } from './position.ts'
import { MAX_SPAN } from './use-place-form.ts'
import { WorldMap } from './WorldMap.tsx'
import styles from './Location.module.css'

type Props = { readonly message: Message; readonly location: MessageLocation; readonly onClose: () => void }

/** The place large, with its coordinates to copy. */
export function MapDialog({ message, location, onClose }: Props) {
  const t = useTexts('locations')
  const name = useName(message.userId)
  const [span, setSpan] = useState(10)
  const distance = useDistance(location)
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
      hint={
        <span className={styles['coordinates']} aria-live="polite">
          {pointText(location)}
          {distance.words === undefined ? null : <span className={styles['away']}>{distance.words}</span>}
        </span>
      }
      actions={
        <>
          <Button icon="navigation" working={distance.asking} onClick={() => void distance.ask()}>
            {t('card.distance')}
          </Button>
          <Button icon="copy" onClick={() => void copy()}>
            {t('card.copy')}
          </Button>
        </>
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

/** How far away it is, by where this computer is now: asked for only when somebody wants to know, and told to nobody. */
function useDistance(to: Point) {
  const t = useTexts('locations')
  const { number } = useFormats()
  const [asking, setAsking] = useState(false)
  const [from, setFrom] = useState<Position | NoPosition>()
  const metres = from === undefined || typeof from === 'string' ? undefined : distanceM(from, to)
  return {
    asking,
    words: typeof from === 'string' ? t(`noDistance.${from}`) : metres === undefined ? undefined : away(metres),
    ask: async (): Promise<void> => {
      if (asking) return
      setAsking(true)
      setFrom(await readPosition())
      setAsking(false)
    },
  }
  function away(far: number): string {
    return far < 1_000
      ? t('away.metres', { far: number(Math.round(far / 10) * 10) })
      : t('away.kilometres', { far: number(far < 10_000 ? Math.round(far / 100) / 10 : Math.round(far / 1_000)) })
  }
}
