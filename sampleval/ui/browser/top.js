// Streamlit would leave a new page scrolled as far as the last one was, and the next Tab would go to whatever stands where
// the pressed button was.
{
  const main = document.querySelector("[data-testid=stMain]");
  main?.scrollTo(0, 0);
  main?.focus({ preventScroll: true });
}
