/** The illustration of the start screen: a window with a lamp, over contour lines. Decorative; the same in all themes. */
export function ParlorArt() {
  return (
    <svg viewBox="0 0 560 840" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path fill="#0d4b47" d="M0 0h560v840H0z" />
      <g fill="none" stroke="#2a7069" strokeWidth="1.4" opacity=".75">
        {LEFT_RINGS.map((step) => (
          <ellipse
            key={step}
            cx={150 + 9 * step}
            cy={520 - 16 * step}
            rx={460 - 58 * step}
            ry={300 - 40 * step}
            transform="rotate(-18 150 520)"
          />
        ))}
        {RIGHT_RINGS.map((step) => (
          <ellipse
            key={step}
            cx={470 - 4 * step}
            cy={120 + 6 * step}
            rx={250 - 38 * step}
            ry={170 - 27 * step}
            transform="rotate(24 470 120)"
          />
        ))}
      </g>
      <g transform="translate(126 142)">
        <path fill="#f4ead6" d="M0 150C0 62 66 0 154 0s154 62 154 150v230H0z" />
        <path fill="#12605a" d="M22 152C22 76 78 22 154 22s132 54 132 130v206H22z" />
        <circle cx="154" cy="104" r="30" fill="#f2b63f" />
        <circle cx="154" cy="104" r="54" fill="#f2b63f" opacity=".16" />
        <path fill="#0d4b47" d="M22 262c40-34 66-6 104-30s62-46 96-26 40 6 64-8v160H22z" />
        <path fill="#2c8078" d="M22 300c50-26 88 8 132-8s84-34 132-8v74H22z" />
        <rect x="-16" y="368" width="340" height="22" rx="7" fill="#f4ead6" />
        <path
          fill="#f4ead6"
          d="M54 288h84a14 14 0 0 1 14 14v22a14 14 0 0 1-14 14H84l-22 16v-16h-8a14 14 0 0 1-14-14v-22a14 14 0 0 1 14-14z"
        />
        <path stroke="#12605a" strokeWidth="6" strokeLinecap="round" d="M62 306h66M62 321h40" />
        <path
          fill="#f2b63f"
          d="M186 236h64a13 13 0 0 1 13 13v18a13 13 0 0 1-13 13h-6v14l-20-14h-38a13 13 0 0 1-13-13v-18a13 13 0 0 1 13-13z"
        />
        <path stroke="#7a4b00" strokeWidth="6" strokeLinecap="round" d="M192 258h48" />
      </g>
    </svg>
  )
}

const LEFT_RINGS = [0, 1, 2, 3, 4, 5, 6]
const RIGHT_RINGS = [0, 1, 2, 3, 4, 5]
