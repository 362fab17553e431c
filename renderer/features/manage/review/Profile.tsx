import type { ReviewItem } from '#shared/domain/manage/review.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useMediaUrl, useUser } from '../../../store/hooks.ts'
import { Avatar } from '../../../ui/Avatar/Avatar.tsx'
import { Portrait } from '../../people/index.ts'
import { useWords } from './use-words.ts'
import styles from './Review.module.css'

const SIZE = 56

/** A reported person: the profile as it was when it was reported beside what it is now, where the server recorded it. */
export function Profile({ item: { authorId, profile } }: { readonly item: ReviewItem }) {
  const t = useTexts('review')
  const words = useWords()
  if (authorId === undefined) return null
  const { changed } = profile ?? {}
  const isChanged = changed?.name === true || changed?.picture === true
  return (
    <>
      <div className={styles['profiles']}>
        {profile !== undefined && isChanged ? (
          <figure className={styles['profile']}>
            <figcaption>{t('profile.then')}</figcaption>
            <Then userId={authorId} profile={profile} />
            <bdi className={styles['author']}>{cleanName(profile.name)}</bdi>
            {profile.picture === undefined ? <span className={styles['second']}>{t('profile.noPhoto')}</span> : null}
          </figure>
        ) : null}
        <figure className={styles['profile']}>
          <figcaption>{t('profile.now')}</figcaption>
          <Portrait userId={authorId} size={SIZE} />
          <bdi className={styles['author']}>{words.name(authorId)}</bdi>
          <NoPhoto userId={authorId} />
        </figure>
      </div>
      <p className={styles['hint']}>
        {profile === undefined
          ? t('profile.unknown')
          : !isChanged
            ? t('profile.same')
            : t(changed?.name && changed.picture ? 'profile.both' : changed?.name ? 'profile.name' : 'profile.photo')}
      </p>
    </>
  )
}

function NoPhoto({ userId }: { readonly userId: UserId }) {
  const t = useTexts('review')
  return useUser(userId)?.image === undefined ? <span className={styles['second']}>{t('profile.noPhoto')}</span> : null
}

type ThenProps = { readonly userId: UserId; readonly profile: NonNullable<ReviewItem['profile']> }

function Then({ userId, profile: { name, picture } }: ThenProps) {
  const { url, onError } = useMediaUrl(picture, 'full')
  return <Avatar id={userId} name={cleanName(name)} size={SIZE} src={url} onError={onError} />
}
