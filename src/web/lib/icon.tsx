const paths = {
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
};

/** A small drawing in the color of the text; the button around it has the name. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="svg-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
