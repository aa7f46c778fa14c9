import pyrrf

air = pyrrf.datasets.load_airquality().dropna()
train = air.iloc[:80]
test = air.iloc[80:100]

pyrrf.set_seed(1)
fit = pyrrf.RRF("log(Ozone) ~ . - Day", data=train, coefReg=0.9, ntree=100)
p = pyrrf.predict(fit, newdata=test)
print("first:", *(f"{value:.15g}" for value in p.iloc[:3]))
print("kept:", *fit.importance.index[fit.feaSet])
