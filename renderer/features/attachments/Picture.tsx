import { useEffect, useState } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useDelayed } from '../../lib/time/clocks.ts'
import { useMediaUrl, useStill } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Still } from '../../ui/View/Still.tsx'
import styles from './Attachments.module.css'

/** No skeleton if the image loads sooner. */
const SKELETON_DELAY_MS = 150

type Props = {
  readonly mediaKey: string
  readonly variant: 'full' | 'thumb'
  readonly alt: string
  readonly blurred?: boolean
  /** It may be animated: with reduced motion its first frame is shown. */
  readonly moves?: boolean
  /** Called when loading fails, so that the control around can offer a retry. */
  readonly onFail?: () => void
}

/**
 * An image in a frame of known size: a skeleton while it loads, a text if it fails. The parent retries with a new key.
 */
export function Picture({ mediaKey, variant, alt, blurred = false, moves = false, onFail }: Props) {
  const t = useTexts('messages')
  const { url, failed, onError } = useMediaUrl(mediaKey, variant)
  const isStill = useStill(moves)
  const [shown, setShown] = useState(false)
  const waiting = useDelayed(!shown, SKELETON_DELAY_MS)
  useEffect(() => {
    if (failed) onFail?.()
  }, [failed, onFail])
  if (failed) {
    return (
      <span className={styles['broken']}>
        <Icon name="image" size={20} />
        <span>{t('media.failed')}</span>
        {onFail === undefined ? null : <span className={styles['retry']}>{t('status.retry')}</span>}
      </span>
    )
  }
  const className = cx(styles['picture'], blurred && styles['blurred'], !shown && styles['hidden'])
  const onLoad = (): void => setShown(true)
  return (
    <>
      {waiting ? <span className={styles['skeleton']} /> : null}
      {url === undefined ? null : isStill ? (
        <Still src={url} alt={alt} className={className} onLoad={onLoad} onError={onError} />
      ) : (
        <img
          className={className}
          src={url}
          alt={alt}
          draggable={false}
          decoding="async"
          onLoad={onLoad}
          onError={onError}
        />
      )}
    </>
  )
}
