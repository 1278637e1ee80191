type Props = {
  name: string;
  label: string;
  /** The choice that filters nothing. */
  any: string;
  chosen: string | undefined;
  options: readonly (readonly [value: string, text: string])[];
};

/** A labelled list of choices in a form. */
export function Select({ name, label, any, chosen, options }: Props) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        <option value="">{any}</option>
        {options.map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
